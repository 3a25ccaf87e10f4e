// Ends with 0 if the server on this machine is ready, as a container's health check asks.

const port = process.env.PORT?.trim() || 3000

try {
  const answer = await fetch(`http://127.0.0.1:${port}/api/health`, {
    signal: AbortSignal.timeout(2_500),
  })
  console.log(await answer.text())
  process.exitCode = answer.ok ? 0 : 1
} catch (error) {
  console.error(error.cause?.message ?? error.message)
  process.exitCode = 1
}
