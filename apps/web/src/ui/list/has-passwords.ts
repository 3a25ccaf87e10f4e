/** Whether a list has its password column: the operator may have switched it off. Assumed until rows are there. */
export const hasPasswords = (rows: readonly { plainPassword?: string | null | undefined }[] = []) =>
  rows.length === 0 || rows.some(({ plainPassword }) => plainPassword !== undefined)
