/** The answer of a call, after a refresh. Also refreshes if the call is refused: somebody else may have been faster. */
export async function thenRefresh<Answer>(
  call: Promise<Answer>,
  refresh: () => Promise<unknown>,
): Promise<Answer> {
  try {
    return await call
  } finally {
    await refresh()
  }
}
