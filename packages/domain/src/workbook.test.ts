import { expect, test } from 'vitest'
import { listWorkbook } from './workbook.ts'

test('a list is a workbook in which amounts are numbers and texts are texts', () => {
  const parts = listWorkbook([
    ['Payee', 'Sum', 'Sales', 'Note'],
    ['=1+1 <Ñandú> 獎金', { number: '-899.90' }, 3, null],
    ['005410228871', { number: '0.00' }, 0, undefined],
  ])
  expect(Object.keys(parts)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
  ])
  const cells = [
    ...(parts['xl/worksheets/sheet1.xml'] ?? '').matchAll(
      /<c r="(\w+)" s="(\d)"(?: t="inlineStr"><is><t[^>]*>(.*?)<\/t><\/is>|><v>(.*?)<\/v>)<\/c>/g,
    ),
  ].map(([, at, style, text, number]) => [at, Number(style), text ?? Number(number)])
  expect(cells).toEqual([
    ['A1', 3, 'Payee'],
    ['B1', 3, 'Sum'],
    ['C1', 3, 'Sales'],
    ['D1', 3, 'Note'],
    ['A2', 1, '=1+1 &lt;Ñandú&gt; 獎金'],
    ['B2', 2, -899.9],
    ['C2', 0, 3],
    ['A3', 1, '005410228871'],
    ['B3', 2, 0],
    ['C3', 0, 0],
  ])
  expect(parts['xl/styles.xml']).toContain('<xf numFmtId="4" ')
})
