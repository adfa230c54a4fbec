import { expect, test } from 'vitest';
import { UsageError } from '../kit/failure.ts';
import { queueAddress } from './address.ts';

test('an address with everything', () => {
  expect(queueAddress('rediss://ann:p%40ss%3Aword@redis.example:7000/3', {})).toEqual({
    host: 'redis.example',
    port: 7000,
    db: 3,
    username: 'ann',
    password: 'p@ss:word',
    tls: { servername: 'redis.example' },
    shown: 'rediss://redis.example:7000/3',
  });
});

test('an address with nothing but a host, and the password of the environment', () => {
  expect(queueAddress('redis://localhost', {})).toEqual({ host: 'localhost', port: 6379, db: 0, shown: 'redis://localhost:6379/0' });
  expect(queueAddress('redis://[::1]/2', { REDIS_PASSWORD: 'hidden' })).toMatchObject({ host: '::1', db: 2, password: 'hidden' });
  expect(queueAddress('redis://:typed@h', { REDIS_PASSWORD: 'hidden' }).password).toBe('typed');
});

test.each([
  ['', 'no address'],
  ['localhost:6379', 'redis://HOST'],
  ['http://ann:secret@h', 'begins with "http:'],
  ['redis://ann:secret@h/first', 'database'],
  ['redis://ann:secret@h/12345', 'database'],
  ['redis://ann:secret@h/0/1', 'database'],
  ['redis://ann:secret@h?db=1', 'nothing behind'],
  ['redis://ann:secret%zz@h', 'percent'],
  ['redis://ann:secret@h:99999', 'no address'],
  ['redis:///0', 'host'],
])('%s is refused without repeating its password', (text, hint) => {
  let message = '';
  try {
    queueAddress(text, {});
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    message = (error as Error).message;
  }
  expect(message).toContain(hint);
  expect(message).not.toContain('secret');
});
