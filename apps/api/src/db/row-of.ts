/** An object of the contract as its rows have it: these instants are dates. */
export type RowOf<Item, Instants extends keyof Item> = Omit<Item, Instants> & {
  [Instant in Instants]: Date | Extract<Item[Instant], null>
}
