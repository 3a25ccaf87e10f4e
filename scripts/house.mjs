// `npm run house`: what the shape of the code is, in figures. docs/ARCHITECTURE.md says what it shall be. Fails if something is
// worse than the goals.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { path, rooms } from './project.mjs'

/** The goals: no features that import each other, no more files than this in a folder, and no function more complex. */
const FILES = 25
const COMPLEXITY = 25

const places = ['apps/api/src', 'apps/web/src', 'packages/contract/src']

/** What is worse, in words. */
const worse = []

/** Of programs and of SQL. */
const comments = /\/\*[^]*?\*\/|(?<![:'"`])\/\/.*|--.*/g

for (const place of places) {
  const files = codeOf(path(place))
  const arrows = new Set(files.flatMap(({ name, imports }) => arrowsOf(name, imports)))
  const bothWays = [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' → ')
    return from < to && arrows.has(`${to} → ${from}`)
  })
  const lines = files.reduce((sum, file) => sum + file.text.split('\n').length, 0)
  const nodes = new Set(files.map(({ name }) => nodeOf(name)))
  console.log(
    `${place}: ${files.length} files, ${lines.toLocaleString('en')} lines, ${nodes.size} folders and files at the top`,
  )
  console.log(
    `  ${arrows.size} arrows between these, ${between(arrows).length} between rooms; both ways: ${bothWays.join(', ') || 'none'}`,
  )
  for (const room of rooms) {
    const features = new Set(
      files
        .map(({ name }) => name.split('/'))
        .filter(([first, , third]) => first === room && third)
        .map(([, feature]) => feature),
    )
    if (features.size > 0) console.log(`  ${room}: ${[...features].join(' ')}`)
  }
  const pairs = rooms.flatMap((room) => pairsIn(room, files))
  console.log(`  both ways inside rooms: ${pairs.join(', ') || 'none'}`)
  for (const pair of [...bothWays, ...pairs]) worse.push(`${place}: ${pair}`)
  const folders = crowdedIn(files)
  console.log(`  folders of more than ${FILES} files: ${listOf(folders)}`)
  for (const { name, size } of folders) worse.push(`${place}: ${name} has ${size} files`)
  const functions = tangledIn(place)
  console.log(`  functions above complexity ${COMPLEXITY}: ${listOf(functions)}`)
  for (const { name, size } of functions) worse.push(`${place}: ${name} has complexity ${size}`)
}

// Who imports from a folder for clusters, or speaks of one in its code: comments may say what a statement allows for.
const isForClusters = (name) => name.includes('/citus/')
const speaksOfClusters = /citus|pg_dist_|distribut|coordinator/i
const layout = codeOf(path('apps/api/src')).filter(
  ({ name, text, imports }) =>
    !isForClusters(name) &&
    (imports.some(isForClusters) || speaksOfClusters.test(text.replaceAll(comments, ''))),
)
console.log(
  `${layout.length} server files outside the folders \`citus\` know the layout of a cluster: ${layout.map(({ name }) => name).join(' ')}`,
)

for (const text of worse) console.error(`✗ ${text} (scripts/house.mjs)`)
process.exitCode = worse.length > 0 ? 1 : 0

/** The code below a folder without its tests, with what each file imports, both relative to the folder. */
function codeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const imports = [...text.matchAll(/\b(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, to]) =>
        relative(folder, join(folder, dirname(name), to)),
      )
      return { name, text, imports }
    })
}

function nodeOf(name) {
  return name.split('/')[0]
}

function arrowsOf(name, imports) {
  const from = nodeOf(name)
  return imports
    .map(nodeOf)
    .filter((to) => to !== from)
    .map((to) => `${from} → ${to}`)
}

/** Features of a room, and files beside them, that import each other: `pay/books ↔ pay/runs`. */
function pairsIn(room, files) {
  const nodeIn = (name) => name.split('/').slice(0, 2).join('/')
  const arrows = new Set(
    files
      .filter(({ name }) => nodeOf(name) === room)
      .flatMap(({ name, imports }) =>
        imports.filter((to) => nodeOf(to) === room).map((to) => `${nodeIn(name)} → ${nodeIn(to)}`),
      ),
  )
  return [...arrows].flatMap((arrow) => {
    const [from, to] = arrow.split(' → ')
    return from < to && arrows.has(`${to} → ${from}`) ? [`${from} ↔ ${to}`] : []
  })
}

/** The folders with the most files, largest first. */
function crowdedIn(files) {
  const sizes = new Map()
  for (const folder of files.map(({ name }) => dirname(name)))
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  return largest(
    [...sizes].map(([name, size]) => ({ name, size })),
    FILES,
  )
}

/** The most complex functions below a folder, by oxlint. */
function tangledIn(place) {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  const config = join(folder, 'oxlintrc.json')
  const rules = { complexity: ['error', COMPLEXITY] }
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules }))
  const { stdout } = spawnSync(
    process.execPath,
    [path('node_modules/oxlint/bin/oxlint'), '--config', config, '--format', 'json', path(place)],
    { encoding: 'utf8', maxBuffer: 50_000_000 },
  )
  rmSync(folder, { recursive: true })
  const found = JSON.parse(stdout).diagnostics.map(({ filename, message, labels }) => ({
    name: `${/`(\w+)`/.exec(message)?.[1] ?? `line ${labels[0].span.line}`} in ${relative(path(place), filename)}`,
    size: Number(/complexity of (\d+)/.exec(message)[1]),
  }))
  return largest(
    found.filter(({ name }) => !name.includes('.test.')),
    COMPLEXITY,
  )
}

function largest(all, above) {
  return all.filter(({ size }) => size > above).toSorted((a, b) => b.size - a.size)
}

function listOf(all) {
  return all.map(({ name, size }) => `${name} (${size})`).join(', ') || 'none'
}

function between(arrows) {
  return [...arrows].filter((arrow) => arrow.split(' → ').every((node) => rooms.includes(node)))
}
