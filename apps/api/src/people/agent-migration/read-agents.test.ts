import { describe, expect, test } from 'vitest'
import { FileError, readAgents } from './read-agents.ts'

const bcrypt = '$2b$04$C0OzxiiDfqW1qjUbklymXuGgeFhOmhjGNndVhOgXgCRBGiJ2IVCXG'
const md5 = '5f4dcc3b5aa765d61d8327deb882cf99'

const nina = {
  officeName: 'Makati',
  username: 'nina',
  firstName: 'Nina',
  lastName: 'Cruz, Jr.',
  email: 'nina@example.com',
  passwordHash: bcrypt,
  hashKind: 'bcrypt',
  registeredAt: new Date('2019-03-31T04:00:00Z'),
}

const omar = {
  officeName: 'Makati',
  username: 'omar',
  firstName: '',
  lastName: '',
  email: undefined,
  passwordHash: md5,
  hashKind: 'md5',
  registeredAt: undefined,
}

test.each([
  [
    'commas',
    `\ufeffoffice,username,first_name,last_name,email,password_hash,registered
Makati,nina,Nina,"Cruz, Jr.",nina@example.com,${bcrypt},2019-03-31
Makati,omar,,,,${md5},`,
    [2, 3],
  ],
  [
    'semicolons, in another order, with Windows line ends',
    `Password Hash;UserName;Office Name;Last Name;First Name;RegTime;Email\r\n${bcrypt};nina;Makati;Cruz, Jr.;Nina;2019-03-31T00:00:00-04:00;nina@example.com\r\n\r\n${md5};omar;Makati;;;;\r\n`,
    [2, 4],
  ],
  [
    'JSON',
    JSON.stringify([
      {
        office: 'Makati',
        username: 'nina',
        firstName: 'Nina',
        lastName: 'Cruz, Jr.',
        email: 'nina@example.com',
        passwordHash: bcrypt,
        registeredAt: '2019-03-31T04:00:00Z',
      },
      { office: ' Makati ', username: 'omar', passwordHash: md5, email: null },
    ]),
    [1, 2],
  ],
])('agents are read from %s', (_, text, [first, second]) => {
  expect(readAgents(Buffer.from(text))).toEqual({
    agents: [
      { ...nina, line: first },
      { ...omar, line: second },
    ],
    bad: [],
    ignored: [],
    encoding: 'UTF-8',
  })
})

test('bad lines are reported with their number and all problems; the others are accepted', () => {
  const text = `office,username,email,password,balance
Makati,nina,nina@example.com,${bcrypt},1
,two words,nobody,plain,2
Makati,elevenchars,,${md5},3
Makati,"a"b c,,${md5},4
Makati,NINA,,${md5},5
Makati,few
Makati,omar,,${md5},6
Makati,costly,,${bcrypt.replace('$04$', '$20$')},7`
  const { agents, bad, ignored } = readAgents(Buffer.from(text))
  expect(agents.map(({ username, line }) => [username, line])).toEqual([
    ['nina', 2],
    ['omar', 8],
  ])
  expect(bad).toEqual([
    {
      line: 3,
      problem:
        'office is required; username must not have spaces; email must be an email address; ' +
        'password hash must be a bcrypt hash (cost up to 14), an md5 hash or an argon2id hash',
    },
    { line: 4, problem: expect.stringContaining('username') },
    { line: 5, problem: 'username must not have spaces' },
    { line: 6, problem: 'username is also on line 2' },
    { line: 7, problem: 'has more or fewer fields than the header' },
    {
      line: 9,
      problem:
        'password hash must be a bcrypt hash (cost up to 14), an md5 hash or an argon2id hash',
    },
  ])
  expect(ignored).toEqual(['balance'])
})

test('no problem repeats a password hash', () => {
  const { bad } = readAgents(
    Buffer.from(`office,username,password\nMakati,x,"${md5}"x\nMakati,z,${md5},${md5}`),
  )
  expect(bad).toHaveLength(2)
  expect(JSON.stringify(bad)).not.toContain(md5)
})

describe('a file without a list of agents is refused as a whole', () => {
  test.each([
    ['name,age\nNina,30', 'Missing: office, username, password hash'],
    ['', 'empty'],
    ['office,username,password\nA,b,c\nA,"b,c\nA,d,e', 'after line 2'],
    ['[{"office": ', 'not'],
    ['[1]x', 'not'],
  ])('%j', (text, message) => {
    expect(() => readAgents(Buffer.from(text))).toThrow(FileError)
    expect(() => readAgents(Buffer.from(text))).toThrow(message)
  })
})

describe('names keep their letters, whatever the spreadsheet saved', () => {
  const text = `office,username,password,first name,last name\r\nManila,ana,${md5},María,Peña €\r\n`
  const utf16 = Buffer.from(text, 'utf16le')
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
    ['UTF-16', utf16],
    ['Windows-1252', Buffer.from(text.replace('€', '\u0080'), 'latin1')],
  ])('%s', (encoding, bytes) => {
    const read = readAgents(bytes)
    expect(read.encoding).toBe(encoding)
    expect(read.bad).toEqual([])
    expect(read.agents).toMatchObject([{ firstName: 'María', lastName: 'Peña €' }])
  })

  test.each([
    ['a letter that an earlier program lost', Buffer.from(text.replace('ñ', '\ufffd'))],
    ['a byte of no encoding', Buffer.from(text.replace('€', '\u0081'), 'latin1')],
  ])('%s is refused by its line', (_, bytes) => {
    const { agents, bad } = readAgents(bytes)
    expect(agents).toEqual([])
    expect(bad).toEqual([{ line: 2, problem: expect.stringContaining('letters that were lost') }])
  })
})
