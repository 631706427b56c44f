// What the user has chosen: kept by the server, because a browser forgets it with each new port.

/** @param {import("./state.js").App} app @returns {import("./state.js").Preferences} */
export function preferences(app) {
  return {
    unsaved: {},
    // how often each ending was solved without a mistake: numbers in one text, as settings are plain
    solvedEndings: () => Array.from((app.settings.endings ?? "").split(" "), Number),
    solved: (ending) => app.preferences.solvedEndings()[ending] || 0,
    // The board is turned for the document that is open, not for all that come.
    flip(flipped = !app.settings.flipped) {
      app.settings.flipped = flipped;
      app.view.dress();
    },
    set(changes) {
      Object.assign(app.settings, changes);
      app.preferences.unsaved = { ...app.preferences.unsaved, ...changes };
      app.preferences.remember();
      app.view.dress();
    },
    // Without a connection the next one does it.
    async remember() {
      const { unsaved } = app.preferences;
      const saved = await app.link.ask("remember", { settings: unsaved }).catch(() => null);
      if (saved && app.preferences.unsaved === unsaved) app.preferences.unsaved = {};
    },
  };
}
