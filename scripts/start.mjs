// `npm start`: installs and builds what is needed, then runs the server and forwards signals. Plain JavaScript
// for any Node version; the server runs on the Node that npm installs.

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tallyroom needs Node 20.19 or newer. This is Node ${process.versions.node}.`)
  process.exit(1)
}

// Imported dynamically, because an older Node would fail on their syntax before printing the message above.
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
