import { expect, test } from 'vitest'
import { csvText, looksLikeFormula } from './csv.ts'

test('fields with commas, quotes and line breaks are quoted', () => {
  expect(csvText([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe(
    '"a,b","say ""hi""","two\nlines",plain\r\n',
  )
  expect(csvText([['a;b', 'a\tb']])).toBe('"a;b","a\tb"\r\n')
})

test('text that a spreadsheet would evaluate as a formula is made harmless', () => {
  expect(csvText([['=1+1', '+1', '-1', '@sum', '＝1', 'a=b']])).toBe(
    "'=1+1,'+1,'-1,'@sum,'＝1,a=b\r\n",
  )
  expect(csvText([['\t=1', '\r=1', '\n=1', ' =1']])).toBe(`"\t'=1","\r'=1","\n'=1",' =1\r\n`)
})

const hidden = [';=1+1', 'a;=1+1;b', 'a\t-1', 'a; @sum', 'a;"=1+1";', 'a\n+1', 'a\r\n=1', ';;\t=1']

test.each([',', ';', '\t'])(
  'a program that splits at %j finds no formula in a text',
  (separator) => {
    for (const text of hidden) {
      const cells = csvText([['first', text, 'last']])
        .split(new RegExp(`[${separator}\\r\\n]`))
        .map((cell) => cell.replaceAll('"', '').trim())
      expect(cells.filter((cell) => looksLikeFormula(cell))).toEqual([])
    }
  },
)

test('numbers stay numbers, even negative ones, and absent values are empty', () => {
  expect(csvText([[-12.5, 0, { number: '-12.50' }, null, undefined]])).toBe('-12.5,0,-12.50,,\r\n')
})
