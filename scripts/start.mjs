// `npm start`: installs and builds what is needed, then runs the server and forwards signals. A released archive holds both,
// and no `install.mjs`. Plain JavaScript for any Node version; the server runs on the Node that npm installs.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tallyroom needs Node 20.19 or newer. This is Node ${process.versions.node}.`)
  process.exit(1)
}

// Imported dynamically, because an older Node would fail on their syntax before printing the message above.
const { existsSync } = await import('node:fs')
const { path } = await import('./project.mjs')
const { findRuntime } = await import('./check-runtime.mjs')
const { runServer } = await import('./run-server.mjs')
const isRelease = !existsSync(path('scripts/install.mjs'))

try {
  if (!isRelease) (await import('./install.mjs')).installIfStale()
  const node = findRuntime()
  if (!isRelease) (await import('./build-web.mjs')).buildWebIfStale(node)
  runServer(node)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
