/** A random UUID (version 4). `crypto.randomUUID` is missing where the product is served without TLS. */
export function randomUuid(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[(bytes[8] ?? 0) % 4]
  return hex.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/,
    (_, a, b, c, d, e) => `${a}-${b}-4${c}-${variant}${d}-${e}`,
  )
}
