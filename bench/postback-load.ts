import { readFileSync } from 'node:fs'
import { loadServer } from './http-load.ts'

/** Merchants who report sales, in a separate process that sends its result as a message. */
export type PostbackLoad = {
  port: number
  connections: number
  seconds: number
  /** The file of orders to report, one `siteId key query` per line. Each is reported once. */
  ordersFile: string
  /** The first line that no earlier load has used. */
  from: number
}

const { ordersFile, from, ...options } = JSON.parse(process.argv[2] ?? '') as PostbackLoad // written by postback.ts
const orders = readFileSync(ordersFile, 'utf8').split('\n')
let taken = from

process.send?.(await loadServer({ ...options, next: request, goodStatus: 201 }))

function request(): string | undefined {
  const line = orders[taken++]
  if (!line) return undefined
  const [siteId, key, query] = line.split(' ')
  return `GET /api/postback/${siteId}?${query}&email=customer%40example.com HTTP/1.1\r\nhost: back.example\r\nx-postback-key: ${key}\r\n\r\n`
}
