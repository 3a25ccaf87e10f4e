import { enterWithToken } from '../../lib/remote-session.ts'

let exchange: { token: string; done: Promise<void> } | undefined

/** The token is good once, and the page is loaded anew as soon as the session has changed. */
export function exchangeOnce(token: string): Promise<void> {
  if (exchange?.token !== token) exchange = { token, done: enterWithToken(token) }
  return exchange.done
}

export const isExchanging = (token: string) => exchange?.token === token
