import { postbackOutcomes } from '@tallyroom/contract/list-choices'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { absoluteSentences } from './absolute-sentences.ts'
import { asvsSections } from './asvs-sections.ts'
import { testDatabase } from './database.ts'
import { openDatabase } from '../src/db/database.ts'
import { sql } from 'kysely'

/** docs/security.md, asvs.md and api.md say what is so. */

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const absolute = /\b(no|none|nobody|nothing|only|all|never|every|everything|everybody)\b/i

/** Sentences, and rows of tables as one; without headings, code and heads of tables. */
function sentencesOf(markdown: string): string[] {
  const blocks = markdown
    .replaceAll(/^```[\s\S]*?^ *```$/gm, '\n')
    .replaceAll(/^#.*$/gm, '\n')
    .replaceAll(/^(\|.*)$/gm, '\n$1\n')
    .replaceAll(/^( *(?:-|\d+\.) )/gm, '\n$1')
    .split(/\n\s*\n/)
  return blocks.flatMap((block) => {
    const text = block.trim().replaceAll(/\s*\n\s*/g, ' ')
    return text.startsWith('|')
      ? [text.replaceAll(/^\| | \|$/g, '')]
      : text.split(/(?<=[.:;])\s+(?=[A-Z*`[])/)
  })
}

const isAbsolute = (sentence: string) =>
  absolute.test(sentence.replaceAll(/`[^`]*`|\*[^*]*\*/g, ''))

test.each(Object.entries(absoluteSentences))(
  'what the documents say without exception is shown by a test, or has a reason: %s',
  (file, shown) => {
    const said = sentencesOf(read(file)).filter(isAbsolute)
    const keys = Object.keys(shown)
    expect(said.filter((sentence) => !keys.some((key) => sentence.includes(key)))).toEqual([])
    expect(keys.filter((key) => said.filter((one) => one.includes(key)).length !== 1)).toEqual([])
  },
)

test('the tests that show it exist', () => {
  const named = Object.values(absoluteSentences).flatMap((shown) => Object.values(shown))
  const missing = named
    .filter((one) => !one.startsWith('– '))
    .filter((one) => {
      const [file = '', title = ''] = one.split(' › ')
      return !existsSync(join(root, file)) || title === '' || !read(file).includes(title)
    })
  expect(missing).toEqual([])
})

type Requirement = { id: string; level: string; met: string; where: string }

const requirements = (): Requirement[] =>
  [...read('docs/asvs.md').matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| (.+) \|$/gm)].map(
    ([, id = '', level = '', met = '', where = '']) => ({ id, level, met, where }),
  )

test('every requirement of ASVS has a word and a place', () => {
  const wanted = Object.entries(asvsSections).flatMap(([section, levels]) =>
    levels.flatMap((numbers, index) =>
      numbers.map((number) => `${section}.${number} level ${index + 1}`),
    ),
  )
  const found = requirements().map(({ id, level }) => `${id} level ${level}`)
  expect(wanted).toHaveLength(253)
  expect(found.toSorted()).toEqual(wanted.toSorted())
  const words = new Set(requirements().map(({ met }) => met))
  expect([...words].toSorted()).toEqual(['met', 'not applicable', 'not met', 'operator', 'partly'])
})

test('every place that the table of ASVS names exists', () => {
  const placeless = requirements().filter(
    ({ met, where }) => met !== 'not applicable' && placesOf(where).length === 0,
  )
  expect(placeless.map(({ id }) => id)).toEqual([])
  const missing = requirements().flatMap(({ id, where }) =>
    placesOf(where)
      .filter((place) => !exists(place))
      .map((place) => `${id}: ${place}`),
  )
  expect(missing).toEqual([])
})

/** Files in backquotes, and links. */
const placesOf = (text: string): string[] => [
  ...[...text.matchAll(/`([\w./-]+\/[\w./-]+\.\w+|config\.ts)`/g)].map(([, file = '']) => file),
  ...[...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => `docs/${link}`),
]

function exists(place: string): boolean {
  const [file = '', anchor] = place.split('#')
  const path = [join(root, 'apps/api/src', file), join(root, file)].find((one) => existsSync(one))
  if (path === undefined || anchor === undefined) return path !== undefined
  const anchors = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  return anchors.includes(anchor)
}

/** What of Node reaches the network. */
const network = /from 'node:(?:http|https|http2|net|tls|dgram)'|(?<![.\w])fetch\(/
/** Who listens for others, or names a type of these modules. */
const listeners = [
  'http/',
  'start/',
  'config.ts',
  'lib/net/forwarded-address.ts',
  'lib/net/ip-address.ts',
]

test('who makes connections is in the table of docs/security.md', () => {
  const callers = globSync('apps/api/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && network.test(read(file)))
    .map((file) => file.slice('apps/api/src/'.length))
    .filter((file) => !listeners.some((one) => file.startsWith(one)))
  expect(callers.toSorted()).toEqual([
    'db/engine/endpoint.ts', // the embedded database’s socket
    'desk/alarms/watch-links.ts',
    'lib/net/safe-fetch.ts',
    'operate/demo-visitors/demo-visitors.ts',
  ])
  const asking = globSync('apps/api/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && /\bsafeFetch\(|\bask\(/.test(read(file)))
    .map((file) => dirname(file).slice('apps/api/src/'.length))
  expect(new Set(asking)).toContain('desk/partner-postbacks')
  const table = read('docs/security.md').split('## Connections')[1]?.split('\n## ')[0] ?? ''
  for (const named of [
    'desk/partner-postbacks/ask.ts',
    'desk/alarms/watch-links.ts',
    'operate/demo-visitors/demo-visitors.ts',
    '`lib/net/safe-fetch`',
  ])
    expect(table).toContain(named)
})

test('the inventory of keys has the purpose of each key', () => {
  const purposes = [
    ...(
      /type KeyPurpose =([\s\S]*?)\n\n/.exec(read('apps/api/src/lib/secrets.ts'))?.[1] ?? ''
    ).matchAll(/'([\w-]+)'/g),
  ].map(([, purpose]) => purpose)
  const table = read('docs/security.md').split('## Keys and algorithms')[1]?.split('\n## ')[0] ?? ''
  expect(purposes.length).toBeGreaterThan(10)
  expect(purposes.filter((purpose) => !table.includes(`\`${purpose}\``))).toEqual([])
})

test('the embedded engine speaks no TLS', async () => {
  const { connection } = await testDatabase()
  if (connection.kind !== 'embedded') return
  const { db, close } = openDatabase(connection, { max: 1, applicationName: 'test' })
  const { rows } = await sql<{ ssl: string }>`select current_setting('ssl') as ssl`.execute(db)
  await close()
  expect(rows).toEqual([{ ssl: 'off' }])
})

test('no SQL of ours uses XML, and no migration creates an extension', () => {
  const files = globSync(['apps/api/migrations/*.sql', 'apps/api/src/**/*.ts'], { cwd: root })
  const uses = /\b(?:xmlparse|xmltable|xmlelement|xpath|query_to_xml|table_to_xml)\s*\(|::\s*xml\b/i
  expect(
    files.filter(
      (file) =>
        !file.endsWith('.test.ts') &&
        (uses.test(read(file)) || (file.endsWith('.sql') && /create extension/i.test(read(file)))),
    ),
  ).toEqual([])
})

test('the glossary names each outcome of a postback', () => {
  const [, words = ''] = /^\| outcome \| [^:]*: (.*)\. \|$/m.exec(read('docs/GLOSSARY.md')) ?? []
  expect(words.split(/, | or /).toSorted()).toEqual(postbackOutcomes.toSorted())
})

/** Paths from a package, from `src`, or from a room. */
test('the files that ARCHITECTURE names exist', () => {
  const named = read('docs/ARCHITECTURE.md').matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+)`/g)
  const all = globSync('{apps,packages}/*/{src,test}/**/*', { cwd: root }).map((file) =>
    file.replace('/src/', '/'),
  )
  const missing = [...named]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(root, path)))
    .filter((path) => !all.some((file) => file.includes(`/${path}.`) || file.endsWith(`/${path}`)))
  expect(missing).toEqual([])
})
