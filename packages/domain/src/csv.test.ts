import { expect, test } from 'vitest'
import { csvText } from './csv.ts'

test('fields with commas, quotes and line breaks are quoted', () => {
  expect(csvText([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe(
    '"a,b","say ""hi""","two\nlines",plain\r\n',
  )
})

test('text that a spreadsheet would evaluate as a formula is made harmless', () => {
  expect(csvText([['=1+1', '+1', '-1', '@sum', '＝1', 'a=b']])).toBe(
    "'=1+1,'+1,'-1,'@sum,'＝1,a=b\r\n",
  )
  expect(csvText([['\t=1', '\r=1', '\n=1']])).toBe(`'\t=1,"'\r=1","'\n=1"\r\n`)
})

test('numbers stay numbers, even negative ones, and absent values are empty', () => {
  expect(csvText([[-12.5, 0, { number: '-12.50' }, null, undefined]])).toBe('-12.5,0,-12.50,,\r\n')
})
