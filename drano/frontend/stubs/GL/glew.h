/* Stand-in for the OpenGL extension wrangler. */
#ifndef DRANO_STUB_GLEW_H
#define DRANO_STUB_GLEW_H
#include <GL/gl.h>
enum { GLEW_OK = 0, GLEW_VERSION = 1 };
extern "C" {
extern GLboolean glewExperimental;
GLenum glewInit(void);
GLboolean glewIsSupported(const char *);
const GLubyte *glewGetErrorString(GLenum);
const GLubyte *glewGetString(GLenum);
}
#endif
