/* Stand-in for OpenGL's GL/gl.h: its types, and the names that CUDA programs use to share buffers
 * with it. Functions are variadic: calls are parsed, never made. */
#ifndef DRANO_STUB_GL_H
#define DRANO_STUB_GL_H
#include <stddef.h>
typedef unsigned int GLenum;
typedef unsigned char GLboolean;
typedef unsigned int GLbitfield;
typedef void GLvoid;
typedef signed char GLbyte;
typedef short GLshort;
typedef int GLint;
typedef unsigned char GLubyte;
typedef unsigned short GLushort;
typedef unsigned int GLuint;
typedef int GLsizei;
typedef float GLfloat;
typedef float GLclampf;
typedef double GLdouble;
typedef double GLclampd;
typedef char GLchar;
typedef ptrdiff_t GLintptr;
typedef ptrdiff_t GLsizeiptr;
typedef long long GLint64;
typedef unsigned long long GLuint64;
typedef struct __GLsync *GLsync;
enum {
  GL_FALSE = 0, GL_TRUE = 1, GL_NO_ERROR = 0,
  GL_POINTS = 0x0000, GL_LINES = 0x0001, GL_LINE_STRIP = 0x0003, GL_TRIANGLES = 0x0004,
  GL_TRIANGLE_STRIP = 0x0005, GL_QUADS = 0x0007,
  GL_DEPTH_BUFFER_BIT = 0x0100, GL_COLOR_BUFFER_BIT = 0x4000,
  GL_LESS = 0x0201, GL_SRC_ALPHA = 0x0302, GL_ONE = 1, GL_ONE_MINUS_SRC_ALPHA = 0x0303,
  GL_FRONT_AND_BACK = 0x0408, GL_DEPTH_TEST = 0x0B71, GL_BLEND = 0x0BE2,
  GL_TEXTURE_2D = 0x0DE1, GL_TEXTURE_3D = 0x806F,
  GL_BYTE = 0x1400, GL_UNSIGNED_BYTE = 0x1401, GL_SHORT = 0x1402, GL_UNSIGNED_SHORT = 0x1403,
  GL_INT = 0x1404, GL_UNSIGNED_INT = 0x1405, GL_FLOAT = 0x1406,
  GL_MODELVIEW = 0x1700, GL_PROJECTION = 0x1701,
  GL_DEPTH_COMPONENT = 0x1902, GL_RED = 0x1903, GL_RGB = 0x1907, GL_RGBA = 0x1908,
  GL_LUMINANCE = 0x1909, GL_POINT = 0x1B00, GL_LINE = 0x1B01, GL_FILL = 0x1B02,
  GL_NEAREST = 0x2600, GL_LINEAR = 0x2601, GL_TEXTURE_MAG_FILTER = 0x2800,
  GL_TEXTURE_MIN_FILTER = 0x2801, GL_TEXTURE_WRAP_S = 0x2802, GL_TEXTURE_WRAP_T = 0x2803,
  GL_CLAMP = 0x2900, GL_REPEAT = 0x2901, GL_RGB8 = 0x8051, GL_RGBA8 = 0x8058,
  GL_CLAMP_TO_EDGE = 0x812F, GL_TEXTURE0 = 0x84C0,
  GL_VERTEX_ARRAY = 0x8074, GL_COLOR_ARRAY = 0x8076, GL_TEXTURE_RECTANGLE = 0x84F5,
  GL_TEXTURE_RECTANGLE_ARB = 0x84F5, GL_BGRA = 0x80E1, GL_RGBA16F_ARB = 0x881A,
  GL_RGBA32F_ARB = 0x8814, GL_RGBA32F = 0x8814, GL_RGBA16F = 0x881A, GL_RGBA_FLOAT32_ATI = 0x8814,
  GL_BUFFER_SIZE = 0x8764, GL_ARRAY_BUFFER = 0x8892, GL_ARRAY_BUFFER_ARB = 0x8892,
  GL_ELEMENT_ARRAY_BUFFER = 0x8893, GL_READ_ONLY = 0x88B8, GL_WRITE_ONLY = 0x88B9,
  GL_READ_WRITE = 0x88BA, GL_STREAM_DRAW = 0x88E0, GL_STREAM_READ = 0x88E1,
  GL_STREAM_COPY = 0x88E2, GL_STATIC_DRAW = 0x88E4, GL_STATIC_DRAW_ARB = 0x88E4,
  GL_DYNAMIC_DRAW = 0x88E8, GL_DYNAMIC_DRAW_ARB = 0x88E8, GL_DYNAMIC_COPY = 0x88EA,
  GL_PIXEL_PACK_BUFFER = 0x88EB, GL_PIXEL_PACK_BUFFER_ARB = 0x88EB, GL_PIXEL_UNPACK_BUFFER = 0x88EC,
  GL_PIXEL_UNPACK_BUFFER_ARB = 0x88EC, GL_FRAGMENT_SHADER = 0x8B30, GL_VERTEX_SHADER = 0x8B31,
  GL_COMPILE_STATUS = 0x8B81, GL_LINK_STATUS = 0x8B82, GL_FRAMEBUFFER = 0x8D40,
  GL_FRAMEBUFFER_EXT = 0x8D40, GL_RENDERBUFFER = 0x8D41, GL_COLOR_ATTACHMENT0 = 0x8CE0,
  GL_COLOR_ATTACHMENT0_EXT = 0x8CE0
};
extern "C" {
#define DRANO_GL(name) int name(...);
DRANO_GL(glActiveTexture) DRANO_GL(glAttachShader) DRANO_GL(glBegin) DRANO_GL(glBindBuffer)
DRANO_GL(glBindBufferARB) DRANO_GL(glBindFramebuffer) DRANO_GL(glBindFramebufferEXT)
DRANO_GL(glBindTexture) DRANO_GL(glBindVertexArray) DRANO_GL(glBlendFunc) DRANO_GL(glBufferData)
DRANO_GL(glBufferDataARB) DRANO_GL(glBufferSubData) DRANO_GL(glClear) DRANO_GL(glClearColor)
DRANO_GL(glClearDepth) DRANO_GL(glColor3f) DRANO_GL(glColor4f) DRANO_GL(glColorPointer)
DRANO_GL(glCompileShader) DRANO_GL(glCreateProgram) DRANO_GL(glCreateShader)
DRANO_GL(glDeleteBuffers) DRANO_GL(glDeleteBuffersARB) DRANO_GL(glDeleteProgram)
DRANO_GL(glDeleteShader) DRANO_GL(glDeleteTextures) DRANO_GL(glDepthFunc) DRANO_GL(glDisable)
DRANO_GL(glDisableClientState) DRANO_GL(glDrawArrays) DRANO_GL(glDrawBuffer)
DRANO_GL(glDrawElements) DRANO_GL(glDrawPixels) DRANO_GL(glEnable) DRANO_GL(glEnableClientState)
DRANO_GL(glEnd) DRANO_GL(glFinish) DRANO_GL(glFlush) DRANO_GL(glFramebufferTexture2D)
DRANO_GL(glFramebufferTexture2DEXT) DRANO_GL(glFrustum) DRANO_GL(glGenBuffers)
DRANO_GL(glGenBuffersARB) DRANO_GL(glGenFramebuffers) DRANO_GL(glGenFramebuffersEXT)
DRANO_GL(glGenTextures) DRANO_GL(glGenVertexArrays) DRANO_GL(glGetBufferParameteriv)
DRANO_GL(glGetBufferParameterivARB) DRANO_GL(glGetError) DRANO_GL(glGetIntegerv)
DRANO_GL(glGetProgramiv) DRANO_GL(glGetShaderiv) DRANO_GL(glGetTexImage)
DRANO_GL(glGetUniformLocation) DRANO_GL(glIsBuffer) DRANO_GL(glLinkProgram)
DRANO_GL(glLoadIdentity) DRANO_GL(glMapBuffer) DRANO_GL(glMapBufferARB) DRANO_GL(glMatrixMode)
DRANO_GL(glOrtho) DRANO_GL(glPixelStorei) DRANO_GL(glPointSize) DRANO_GL(glPolygonMode)
DRANO_GL(glPopMatrix) DRANO_GL(glPushMatrix) DRANO_GL(glReadBuffer) DRANO_GL(glReadPixels)
DRANO_GL(glRotatef) DRANO_GL(glScalef) DRANO_GL(glShaderSource) DRANO_GL(glTexCoord2f)
DRANO_GL(glTexImage2D) DRANO_GL(glTexParameterf) DRANO_GL(glTexParameteri)
DRANO_GL(glTexSubImage2D) DRANO_GL(glTranslatef) DRANO_GL(glUniform1f) DRANO_GL(glUniform1i)
DRANO_GL(glUnmapBuffer) DRANO_GL(glUnmapBufferARB) DRANO_GL(glUseProgram) DRANO_GL(glVertex2f)
DRANO_GL(glVertex3f) DRANO_GL(glVertexPointer) DRANO_GL(glViewport)
#undef DRANO_GL
const GLubyte *glGetString(GLenum);
}
#endif
