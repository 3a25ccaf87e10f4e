import { enterWithToken } from '../../lib/remote-session.ts'

let exchange: { token: string; done: Promise<void> } | undefined

/** Exchanges a token at most once, since it is single-use. The page may load again when the session changes. */
export function exchangeOnce(token: string): Promise<void> {
  if (exchange?.token !== token) exchange = { token, done: enterWithToken(token) }
  return exchange.done
}

export const isExchanging = (token: string) => exchange?.token === token
