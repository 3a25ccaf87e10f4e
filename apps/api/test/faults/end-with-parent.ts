// Loaded into a server that a test has started. Its standard input ends when the test's process does, however
// that ended; the server then takes its whole process group with it instead of staying behind.
process.stdin.on('error', endAll).on('close', endAll).resume().unref()

function endAll(): void {
  process.kill(0, 'SIGKILL')
}
