/* Modules that keep something in the browser's storage listen to its window as soon as they are loaded. */
globalThis.window ??= new EventTarget() as typeof globalThis.window
