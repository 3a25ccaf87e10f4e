/**
 * Whether a text has characters that are not seen: zero-width ones, those that turn the direction of writing, and those
 * that no font has. To a bank, and to whoever compares two names, such a name looks like another one.
 */
export const hasInvisible = (text: string): boolean =>
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
