/** What can be told of a request that Node's parser refused. Texts have a character for each byte. */
export type UnparsedRequest = {
  method: 'GET' | 'POST'
  /** As far as it came; blanks and line breaks may be in it. */
  url: string
  /** By lower-case name, as far as they are lines of that form. */
  headers: Record<string, string>
  /** Of Node: `HPE_HEADER_OVERFLOW`. */
  code: string
}

/** Undefined if its first line is not there, or is of a request that was read. */
export function unparsedRequest(
  packet: string,
  { code = '', bytesParsed }: { code?: string | undefined; bytesParsed?: number | undefined },
): UnparsedRequest | undefined {
  const end = packet.indexOf('\r\n\r\n')
  const head = end < 0 ? packet : packet.slice(0, end)
  const [first = '', ...lines] = head.split('\r\n')
  const method = first.startsWith('GET ') ? 'GET' : first.startsWith('POST ') ? 'POST' : undefined
  if (method === undefined) return undefined
  // Its last line is cut.
  if (end < 0) lines.pop()
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (!TOKEN.test(name) || name in {}) continue
    const value = line.slice(colon + 1).trim()
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  // With its whole head read, only a body can be at fault; else it is a request behind it.
  const isRead = end >= 0 && bytesParsed !== undefined && bytesParsed >= end + 4
  if (isRead && headers['transfer-encoding'] === undefined) return undefined
  const target = first.slice(method.length + 1)
  return { method, url: target.replace(/ HTTP\/\d\.\d$/, ''), headers, code }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
