import type { WhatIf } from '@tallyroom/contract/figures/what-if'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Answer } from './Answer.tsx'

const textOf = (overall: Partial<WhatIf['overall']>, leftAlone: string[] = []) =>
  renderToStaticMarkup(
    createElement(Answer, {
      answer: {
        overall,
        leftAlone: leftAlone.map((officeName) => ({ officeName })),
      } as unknown as WhatIf,
      hasRates: true,
    }),
  ).replaceAll(/<[^>]+>/g, '')

test.each([
  [{ paid: 200, difference: 50 }, '₱200.00 was paid, ₱250.00 would have been: +₱50.00 (25.0%).'],
  [{ paid: 200, difference: -50 }, '₱200.00 was paid, ₱150.00 would have been: -₱50.00 (-25.0%).'],
  [{ paid: 200, difference: 0 }, '₱200.00 was paid, and it would have been the same.'],
  [{ paid: 0, difference: 50 }, 'Nothing was paid, ₱50.00 would have been: +₱50.00.'],
  [{ paid: 100_000, difference: 1 }, '₱100,000.00 was paid, ₱100,001.00 would have been: +₱1.00.'],
  // More was reversed than sold.
  [{ paid: -20, difference: 30 }, '-₱20.00 was paid, ₱10.00 would have been: +₱30.00.'],
  [
    { paid: 200, tierPaid: 100, difference: 0 },
    '₱300.00 was paid, and it would have been the same. By rates as in Payroll, and by tiers as in Payroll AVP.',
  ],
])('%j reads: %s', (overall, text) => {
  expect(textOf(overall)).toBe(text)
})

test('offices that kept their own rates are named', () => {
  expect(textOf({ paid: 200, difference: 0 }, ['Manila', 'Cebu'])).toContain(
    ' Not changed, because they have own rates: Manila, Cebu.',
  )
})
