/** Character → byte. Control characters but tab and line breaks are left out. */
export const windows1252: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte): [string, number] => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]).filter(([character]) => /[^\p{Cc}]|[\t\r\n]/u.test(character)),
)

/** @throws RangeError for a character that it lacks */
export const toWindows1252 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (character) => {
      const byte = windows1252.get(character)
      if (byte === undefined) throw new RangeError('not in Windows-1252')
      return byte
    }),
  )
