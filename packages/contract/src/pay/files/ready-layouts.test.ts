import { expect, test } from 'vitest'
import { payFileLayoutSchema, problemsOfLayout } from './files.ts'
import { readyLayouts } from './ready-layouts.ts'

test.each(readyLayouts)('$name can be saved once it says who pays', ({ layout }) => {
  const payer = { name: 'The Network', account: '0011', bic: 'BOPIPHMM' }
  const filled = { ...layout, payer: layout.format === 'pain.001' ? payer : null }
  expect(payFileLayoutSchema.safeParse(filled).error).toBeUndefined()
  expect(problemsOfLayout(filled)).toEqual([])
})
