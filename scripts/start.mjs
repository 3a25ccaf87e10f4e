// `npm start`: installs what is missing, builds what is stale, then runs the server and passes signals on.
// Plain JavaScript for whatever Node the machine has; the server itself runs on the one that npm installs.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tallyroom needs Node 20.19 or newer. This is Node ${process.versions.node}.`)
  process.exit(1)
}

// Imported only now: an older Node would stumble over their syntax before it could say so.
const { installIfStale } = await import('./install.mjs')
const { findRuntime } = await import('./check-runtime.mjs')
const { buildWebIfStale } = await import('./build-web.mjs')
const { runServer } = await import('./run-server.mjs')

try {
  installIfStale()
  const node = findRuntime()
  buildWebIfStale(node)
  runServer(node)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
