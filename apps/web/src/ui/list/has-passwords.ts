type Shown = { plainPassword?: string | null | undefined; passwordHidden?: true | undefined }

/** Whether a list has a password column. The operator can turn it off. Assumed to be on while there are no rows. */
export const hasPasswords = (rows: readonly Shown[] = []) =>
  rows.length === 0 ||
  rows.some(({ plainPassword, passwordHidden }) => passwordHidden || plainPassword !== undefined)
