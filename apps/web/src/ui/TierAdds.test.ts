import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TierAdds } from './TierAdds.tsx'

test.each([
  [39.5, 'that adds <strong>₱39.50</strong> to this week'],
  [0, 'this week’s pay stays the same'],
  [-12, 'that takes <strong>₱12.00</strong> off this week'],
])('a next tier that adds %d pesos says so', (pesos, text) => {
  expect(renderToStaticMarkup(createElement(TierAdds, { pesos }))).toBe(text)
})
