/** How long somebody who does nothing still reads. */
const READING_MS = 60_000

let lastTouchMs = Date.now()

for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove']) {
  window.addEventListener(event, () => (lastTouchMs = Date.now()), { capture: true, passive: true })
}

/** Whether somebody is using this page, as far as keys, pointer and fingers tell. */
export const isAttended = (): boolean => Date.now() - lastTouchMs < READING_MS
