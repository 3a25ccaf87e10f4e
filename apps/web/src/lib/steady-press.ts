/** What a press works on. */
const PRESSED = 'a, button, summary, label'

/** A pointer that moves farther, in pixels, leaves what it pressed. */
const STILL_PX = 8

interface Press {
  element: HTMLElement
  x: number
  y: number
  /** Where the element was, in the window. */
  was: DOMRect
}

/**
 * Lets a press work on what was pressed, also if that moves before the pointer is released: a message goes as its field is
 * left, an alert arrives above the page. Browsers would click what is beneath the pointer then, or nothing.
 */
export function steadyPresses() {
  let press: Press | undefined
  window.addEventListener('pointerdown', (event) => (press = pressOf(event)), true)
  // Whoever scrolls or types meanwhile moves the page themselves.
  for (const kind of ['pointercancel', 'wheel', 'keydown'] as const)
    window.addEventListener(kind, () => (press = undefined), { capture: true, passive: true })
  window.addEventListener(
    'pointerup',
    (event) => {
      const last = press
      press = undefined
      if (!last || !hasGoneFrom(last, event)) return
      const { ctrlKey, metaKey, shiftKey, altKey } = event
      const modifiers = { ctrlKey, metaKey, shiftKey, altKey }
      last.element.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, ...modifiers }),
      )
    },
    true,
  )
}

function pressOf(event: PointerEvent): Press | undefined {
  const { target, button, isPrimary, clientX: x, clientY: y } = event
  const element = target instanceof Element ? target.closest<HTMLElement>(PRESSED) : null
  if (!element || button !== 0 || !isPrimary || element.matches(':disabled')) return undefined
  return { element, x, y, was: element.getBoundingClientRect() }
}

/** Whether the pressed element has moved away from beneath a pointer that stayed. */
function hasGoneFrom(
  { element, x, y, was }: Press,
  { target, button, clientX, clientY }: PointerEvent,
): boolean {
  if (button !== 0 || !element.isConnected) return false
  if (target instanceof Node && element.contains(target)) return false
  if (Math.hypot(clientX - x, clientY - y) > STILL_PX) return false
  const isIn = ({ left, right, top, bottom }: DOMRect) =>
    clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  return isIn(was) && !isIn(element.getBoundingClientRect())
}
