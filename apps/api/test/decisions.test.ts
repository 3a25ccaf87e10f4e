import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../docs/decisions')
const rooms = readdirSync(folder)
  .filter((file) => file.endsWith('.md') && file !== 'README.md' && file !== 'index.md')
  .toSorted()

type Entry = { number: number; name: string; title: string; file: string; subject: string }

/** The entries of a room in the order of their file. */
function entriesOf(file: string): Entry[] {
  let subject = ''
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) subject = line.slice('## '.length)
      const [, name, number, title] = /^### ([A-Z]+-(\d+)) (.+)/.exec(line) ?? []
      if (name === undefined || title === undefined) return []
      return [{ number: Number(number), name, title, file, subject }]
    })
}

/** As GitHub makes it of a heading. */
const anchorOf = ({ name, title }: Entry): string =>
  `${name} ${title}`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

test('each decision has a number of its own', () => {
  const names = rooms.flatMap(entriesOf).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(0)
  expect(names).toEqual([...new Set(names)])
})

/** See docs/decisions/README.md for how it is written anew. */
test('the index of decisions has each by subject, with its number', async () => {
  const lines = rooms.flatMap((file) => {
    const subjects = Map.groupBy(entriesOf(file), ({ subject }) => subject)
    return [
      `## ${file.replace('.md', '')}`,
      '',
      ...[...subjects].flatMap(([subject, entries]) => [
        ...(subject ? [`### ${subject}`, ''] : []),
        ...entries
          .toSorted((a, b) => a.number - b.number)
          .map((entry) => `- [${entry.name}](${file}#${anchorOf(entry)}) ${entry.title}`),
        '',
      ]),
    ]
  })
  const index = ['# Decisions by subject', '', ...lines].join('\n')
  await expect(index).toMatchFileSnapshot(join(folder, 'index.md'))
})
