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
  expect(readAgents(text)).toEqual({
    agents: [
      { ...nina, line: first },
      { ...omar, line: second },
    ],
    bad: [],
    ignored: [],
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
  const { agents, bad, ignored } = readAgents(text)
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
  const { bad } = readAgents(`office,username,password\nMakati,x,"${md5}"x\nMakati,z,${md5},${md5}`)
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
    expect(() => readAgents(text)).toThrow(FileError)
    expect(() => readAgents(text)).toThrow(message)
  })
})
