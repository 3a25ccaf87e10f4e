import { isMainThread } from 'node:worker_threads'

// Preloaded into a server that a test starts. Its standard input closes when the test process exits, for whatever
// reason; the server then kills its whole process group rather than stay behind as an orphan. Its worker threads, which
// preload it too, have no standard input of their own.
if (isMainThread) process.stdin.on('error', endAll).on('close', endAll).resume().unref()

function endAll(): void {
  process.kill(0, 'SIGKILL')
}
