// Preloaded into a server that a test starts: its clock is wrong by the number of milliseconds in
// the last line of its standard input.
let shift = 0
process.stdin.on('data', (bytes: Buffer) => {
  shift = Number(bytes.toString().trim().split('\n').at(-1))
})

globalThis.Date = new Proxy(Date, {
  construct: (real, given, made) =>
    Reflect.construct(real, given.length > 0 ? given : [real.now() + shift], made),
  get: (real, name) => (name === 'now' ? () => real.now() + shift : Reflect.get(real, name)),
})
