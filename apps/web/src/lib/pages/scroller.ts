/** What scrolls the page that contains the element: its main part, or in a low window all beside the menu. */
export function scrollerOf(element: Element | null): Element | null {
  const main = element?.closest('main') ?? null
  return main && getComputedStyle(main).overflowY === 'visible' ? main.parentElement : main
}
