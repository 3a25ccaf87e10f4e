/** Which amounts leave. What a viewer may not see is left out, not zeroed. */
export type Visibility = { earning: boolean; payout: boolean; lpp: boolean }

/** The site that a question is about, with the link types that get a column each. */
export type ChosenSite = {
  useApproveSale: boolean
  types: { id: number; typename: string; bonus: boolean }[]
}
