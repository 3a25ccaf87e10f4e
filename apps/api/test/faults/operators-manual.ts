import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manual = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')

export const clusterChapter = between(manual, '### A Citus cluster', '\n## ')

export function between(whole: string, start: string, end: string): string {
  const from = whole.indexOf(start)
  const to = whole.indexOf(end, from + start.length)
  if (from < 0 || to < 0) throw new Error(`The manual has no ${start} … ${end}`)
  return whole.slice(from, to)
}

/** The block of SQL after some words of the chapter, as it is printed. */
export function sqlAfter(words: string): string {
  const block = between(clusterChapter, words, '\n```\n')
  return block.slice(block.indexOf('```sql\n') + '```sql\n'.length)
}
