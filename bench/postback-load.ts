import { readFileSync } from 'node:fs'
import { loadServer } from './http-load.ts'

/** Merchants who report sales, in a separate process that sends its result as a message. */
export type PostbackLoad = {
  port: number
  connections: number
  seconds: number
  /** The file of clicks to report, one `siteId key clickId` per line. Each is reported once. */
  clicksFile: string
  /** The first line that no earlier load has used. */
  from: number
}

const { clicksFile, from, ...options } = JSON.parse(process.argv[2] ?? '') as PostbackLoad // written by postback.ts
const clicks = readFileSync(clicksFile, 'utf8').split('\n')
let taken = from

process.send?.(await loadServer({ ...options, next: request, goodStatus: 201 }))

function request(): string | undefined {
  const line = clicks[taken++]
  if (!line) return undefined
  const [siteId, key, clickId] = line.split(' ')
  return `GET /api/postback/${siteId}?click_id=${clickId}&transaction_id=order-${taken}&email=customer%40example.com HTTP/1.1\r\nhost: back.example\r\nx-postback-key: ${key}\r\n\r\n`
}
