import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { path, root, say, step } from './project.mjs'

const stamp = path('.cache/web-build')
const sources = [
  'apps/web',
  'packages/domain',
  'packages/contract',
  'docs/postbacks.md',
  'package-lock.json',
]
const notSources = /(^|\/)(node_modules|dist|\.cache)(\/|$)|\.test\.tsx?$/

/** Builds the web app unless the last build was from identical sources. */
export function buildWebIfStale(node) {
  const wanted = hashOfSources()
  const isBuilt = existsSync(path('apps/web/dist/index.html')) && existsSync(stamp)
  if (isBuilt && readFileSync(stamp, 'utf8') === wanted) return

  const weights = step('Building the web app …', 'Web app', () => build(node))
  if (!process.stdout.isTTY) for (const weight of weights) say(weight)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Returns what the pages weigh, as lines. */
function build(node) {
  rmSync(stamp, { force: true })
  const { status, stdout, stderr } = spawnSync(
    node,
    [path('node_modules/vite/bin/vite.js'), 'build', '--logLevel=warn'],
    // Whoever builds, such as a test, gets what is released.
    { cwd: path('apps/web'), encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0)
    throw new Error(`${stdout ?? ''}${stderr ?? ''}\nThe web app could not be built.`)
  return stdout.match(/^.* bytes of JavaScript.*$/gm) ?? []
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => [...filesIn(path(source))]).toSorted()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @returns {Generator<string>} */
function* filesIn(entry) {
  if (notSources.test(relative(root, entry))) return
  let names
  try {
    names = readdirSync(entry)
  } catch (error) {
    if (error.code !== 'ENOTDIR') throw error
    yield entry
    return
  }
  for (const name of names) yield* filesIn(`${entry}/${name}`)
}
