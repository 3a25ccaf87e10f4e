import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of a PDF, and each piece of it with its page and its position in points. */
export async function readPdf(bytes: AsyncIterable<Buffer> | Iterable<Buffer>) {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  const pdf = await getDocument({ data: new Uint8Array(Buffer.concat(parts)), verbosity: 0 })
    .promise
  const texts: string[] = []
  const items: { str: string; page: number; left: number; right: number; bottom: number }[] = []
  let width = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    width = page.getViewport({ scale: 1 }).width
    const words = await page.getTextContent()
    for (const item of words.items)
      if ('str' in item && item.str.trim()) {
        texts.push(item.str)
        const left = Number(item.transform[4])
        const bottom = Number(item.transform[5])
        items.push({ str: item.str, page: number, left, right: left + item.width, bottom })
      }
  }
  await pdf.cleanup()
  return { text: texts.join(' ').replaceAll(/\s+/g, ' '), items, width, pages: pdf.numPages }
}
