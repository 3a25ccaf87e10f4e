// `npm run house`: what the shape of the code is, in figures. docs/ARCHITECTURE.md says what it shall be.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { path, rooms } from './project.mjs'

/** Of programs and of SQL. */
const comments = /\/\*[^]*?\*\/|(?<![:'"`])\/\/.*|--.*/g

for (const place of ['apps/api/src', 'apps/web/src', 'packages/contract/src']) {
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

function between(arrows) {
  return [...arrows].filter((arrow) => arrow.split(' → ').every((node) => rooms.includes(node)))
}
