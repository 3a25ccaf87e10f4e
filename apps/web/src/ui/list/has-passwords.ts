type Shown = { plainPassword?: string | null | undefined; passwordHidden?: true | undefined }

/** Whether a list has its password column: the operator may have switched it off. Assumed until rows are there. */
export const hasPasswords = (rows: readonly Shown[] = []) =>
  rows.length === 0 ||
  rows.some(({ plainPassword, passwordHidden }) => passwordHidden || plainPassword !== undefined)
