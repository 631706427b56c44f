// What the user does, one action after the other: each begins when the server has answered the one before, at the
// position that this one led to. So no key or click is lost, and none meets another position than on a quiet machine.

export class InputQueue {
  constructor() {
    this.running = 0; // actions that wait for answers
    this.onlySteps = true; // is each of them a step?
    this.waiting = [];
    this.inside = false; // is an action being called? What it begins is a part of it.
  }

  // Call an action, now or in its turn; the next one waits until what it returns is there. A step goes to a node
  // that is known before, so steps do not wait for each other.
  run(action, { step = false } = {}) {
    if (this.inside || (!this.waiting.length && this.isFree(step))) return this.begin(action, step);
    return new Promise((resolve, reject) => this.waiting.push({ action, step, resolve, reject }));
  }

  isFree(step) {
    return !this.running || (step && this.onlySteps);
  }

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
    while (this.waiting.length && this.isFree(this.waiting[0].step)) {
      const { action, step, resolve, reject } = this.waiting.shift();
      try {
        resolve(this.begin(action, step));
      } catch (error) {
        reject(error);
      }
    }
  }
}
