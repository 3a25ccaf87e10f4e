import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { AggregatorRegistry, collectDefaultMetrics, register } from 'prom-client'
import type { Config } from '../config.ts'

collectDefaultMetrics()

/** Aggregates over the server processes; in each worker it answers the first process. */
const overProcesses = new AggregatorRegistry()

/** Serves `/metrics` in Prometheus format on a separate port, if configured, aggregated over all server processes. */
export async function serveMetrics(
  config: Pick<Config, 'metricsPort' | 'host' | 'webConcurrency'>,
): Promise<{ stop(): Promise<void> } | undefined> {
  if (config.metricsPort === undefined) return undefined
  const isFirstOfMany = config.webConcurrency > 1 && cluster.isPrimary
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const collected = isFirstOfMany ? overProcesses.clusterMetrics() : register.metrics()
    collected.then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.metricsPort, config.host, resolve)
  })
  return {
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
