// What the user does, one action after the other: each begins when the server has answered the one before, at the
// position that this one led to. So no key or click is lost, and none meets another position than on a quiet machine.

/** @typedef {() => unknown} Action */
/** @typedef {{ action: Action, step: boolean, resolve: (value: unknown) => void, reject: (error: unknown) => void }} Waiting */

export class InputQueue {
  constructor() {
    this.running = 0; // actions that wait for answers
    this.onlySteps = true; // is each of them a step?
    /** @type {Waiting[]} */
    this.waiting = [];
    this.inside = false; // is an action being called? What it begins is a part of it.
  }

  /**
   * Call an action, now or in its turn; the next one waits until what it returns is there. A step goes to a node
   * that is known before, so steps do not wait for each other.
   * @template T
   * @overload
   * @param {() => Promise<T>} action
   * @param {{ step?: boolean }} [options]
   * @returns {Promise<T>}
   */
  /**
   * @overload
   * @param {Action} action
   * @param {{ step?: boolean }} [options]
   * @returns {unknown}
   */
  /** @param {Action} action @param {{ step?: boolean }} [options] @returns {unknown} */
  run(action, { step = false } = {}) {
    if (this.inside || (!this.waiting.length && this.isFree(step))) return this.begin(action, step);
    return new Promise((resolve, reject) => this.waiting.push({ action, step, resolve, reject }));
  }

  /** @param {boolean} step */
  isFree(step) {
    return !this.running || (step && this.onlySteps);
  }

  /** @param {Action} action @param {boolean} step */
  begin(action, step) {
    const { inside } = this;
    if (!this.running) this.onlySteps = true;
    this.onlySteps &&= step;
    this.inside = true;
    let result;
    try {
      result = action();
    } finally {
      this.inside = inside;
    }
    if (!(result instanceof Promise)) return result;
    this.running++;
    return result.finally(() => {
      this.running--;
      this.next();
    });
  }

  next() {
    for (let first = this.waiting[0]; first && this.isFree(first.step); first = this.waiting[0]) {
      const { action, step, resolve, reject } = first;
      this.waiting.shift();
      try {
        resolve(this.begin(action, step));
      } catch (error) {
        reject(error);
      }
    }
  }
}
