import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Sends a GET byte by byte as given and resolves to the whole answer, because clients would
 * normalize the path and refuse such headers. Rejects if the connection breaks.
 * @param headers lines in latin1, each with its line end
 */
export function getAsItStands(port: number, path: string, headers = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n`, 'latin1')
  return text(socket)
}
