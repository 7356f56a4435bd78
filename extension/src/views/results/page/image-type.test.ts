import { imageType } from './image-type.ts';

test.each([
  ['89504E470D0A1A0A0000', 'image/png'],
  ['ffd8ffe000104a464946', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['52494646aabbccdd57454250', 'image/webp'],
  ['0000001c6674797061766966', 'image/avif'],
  ['424d3a0000000000000036', 'image/bmp'],
])('bytes that begin with %s are %s', (hex, type) => {
  expect(imageType(hex)).toBe(type);
});

test.each(['', '00ff41', '3c737667', '52494646aabbccdd57415645', '424d'])('%s is no image', (hex) => {
  expect(imageType(hex)).toBeUndefined();
});
