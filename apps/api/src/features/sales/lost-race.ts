/** Another transaction was faster. With the SQLSTATE of a serialization failure, `inTransaction` tries again. */
export class LostRace extends Error {
  override name = 'LostRace'
  readonly code = '40001'
}
