// The socket: requests with answers, events, and reconnecting.

// The token stands in the address. For an installed page, which is opened without, the browser keeps the last right
// one: tokens are new at each start of the board.
const KEPT = "token";

// Where the browser forbids pages to keep anything, even to ask for its storage is an error.
/** @param {"localStorage" | "sessionStorage"} name @returns {Storage | null} */
function storage(name) {
  try {
    return window[name];
  } catch {
    return null;
  }
}
const local = storage("localStorage");
export const session = storage("sessionStorage");

/** @typedef {"open" | "lost" | "refused"} How */
/** @typedef {import("./state.js").Failure} Failure */
/** @typedef {import("./state.js").Answers} Answers */
/** @typedef {{ resolve(answer: object): void, reject(failure: Failure): void }} Waiting */

// What a rejected request says, or an error of the page itself.
/** @param {unknown} error @returns {Failure} */
export function failureOf(error) {
  if (error instanceof Error) return { code: "internal", message: error.message };
  return /** @type {Failure} */ (error);
}

export class Link {
  /**
   * @param {string} token
   * @param {() => object} greet what to say after the token
   * @param {(messages: import("./events.js").ServerEvent[]) => void} onEvents
   * @param {(how: How) => void} onState
   */
  constructor(token, greet, onEvents, onState) {
    this.token = token || local?.getItem(KEPT) || "";
    this.refused = false;
    addEventListener("storage", ({ key }) => key === KEPT && this.refused && this.renew());
    this.greet = greet;
    this.onEvents = onEvents;
    this.onState = onState;
    /** @type {Map<number | undefined, Waiting>} */
    this.waiting = new Map();
    this.next = 1;
    this.delay = 300;
    this.open = false; // has the server answered the hello?
    this.watching = false; // does the page only look on?
    this.connect();
  }

  connect() {
    const socket = (this.socket = new WebSocket(`ws://${location.host}/socket`));
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: "hello", token: this.token, ...this.greet() }));
    };
    socket.onmessage = ({ data }) => {
      const messages = /** @type {import("./events.js").ServerEvent[]} */ (JSON.parse(data)); // all that one change has caused
      const welcome = messages.find((message) => message.type === "welcome");
      if (welcome) {
        this.delay = 300;
        this.open = true;
        this.watching = Boolean(welcome.watching);
        if (welcome.installed) this.keep();
        this.onState("open");
      }
      try {
        this.onEvents(messages.filter(({ re }) => !this.waiting.has(re)));
      } finally {
        for (const message of messages) {
          const answer = this.waiting.get(message.re);
          this.waiting.delete(message.re);
          if (message.type === "error") answer?.reject(message);
          else answer?.resolve(message);
        }
      }
    };
    socket.onclose = ({ code }) => {
      this.open = false;
      for (const { reject } of this.waiting.values()) reject({ code: "lost" });
      this.waiting.clear();
      if (code === 4403 || code === 4401 || code === 4429) {
        this.refused = true;
        if (!this.renew()) this.onState("refused");
        return;
      }
      this.onState("lost");
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(5000, this.delay * 2);
    };
  }

  keep() {
    local?.setItem(KEPT, this.token);
  }

  // Try again with the token that another page has brought, if it is a new one.
  renew() {
    const kept = local?.getItem(KEPT);
    if (!kept || kept === this.token) return false;
    this.token = kept;
    this.refused = false;
    this.connect();
    return true;
  }

  /**
   * Ask and wait for the answer; rejects with a Failure.
   * @template {keyof Answers} K
   * @param {K} type
   * @param {object} message
   * @returns {Promise<Answers[K]>}
   */
  ask(type, message = {}) {
    if (!this.open) return Promise.reject({ code: "lost" });
    if (this.watching) return Promise.reject({ code: "view-only" });
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket?.send(JSON.stringify({ ...message, type, id }));
    });
  }

  // Say something that needs no answer.
  /** @param {string} type @param {object} message */
  send(type, message = {}) {
    if (this.open && !this.watching) this.socket?.send(JSON.stringify({ ...message, type }));
  }
}
