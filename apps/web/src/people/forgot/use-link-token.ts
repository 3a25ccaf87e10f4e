import { useEffect, useState } from 'react'

/** The token in the fragment of a mailed link; empty when the link was truncated. */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1))
  // It is a credential: remove it from the address bar and the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  return token
}
