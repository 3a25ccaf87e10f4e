import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TierAdds } from './TierAdds.tsx'

test.each([
  [39.5, true, 'that adds <strong>₱39.50</strong> to this week'],
  [0, true, 'that adds nothing by tier'],
  [-12, true, 'that takes <strong>₱12.00</strong> off this week'],
  // For information only, or while pay is off.
  [39.5, false, 'that would add <strong>₱39.50</strong> to this week'],
  [0, false, 'that would add nothing by tier'],
])('a next tier that adds %d pesos says so, paid: %s', (pesos, isPaid, text) => {
  expect(renderToStaticMarkup(createElement(TierAdds, { pesos, isPaid }))).toBe(text)
})
